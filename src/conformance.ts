export {
  ALL_PROFILES,
  type CaseOptions,
  type GeneratedBranch,
  type QueryCase,
  queryCaseArbitrary,
} from "./conformance/arbitraries/cases.js";
export {
  evaluateQuery,
  type OraclePage,
  type OracleRequest,
  type PageToken,
} from "./conformance/oracle/evaluate.js";
export { type Deviation, parseDeviations } from "./conformance/report/deviations.js";
export {
  addChanges,
  type PastRun,
  summarizeRun,
} from "./conformance/report/history.js";
export { formatHtml } from "./conformance/report/html.js";
export { formatJUnit } from "./conformance/report/junit.js";
export {
  type Cause,
  type Changes,
  type CheckResult,
  type CheckTitle,
  type ConformanceReport,
  type Counterexample,
  type Divergence,
  exitCode,
  type HistoryCounterexample,
  type MissingFeature,
  type RuleResult,
  type TierCount,
  type UnexpectedPass,
  type VectorCounterexample,
} from "./conformance/report/report.js";
export { formatBadge, formatMarkdown } from "./conformance/report/summary.js";
export { formatText } from "./conformance/report/text.js";
export { RULES, type Rule, type RuleId, type Tier } from "./conformance/rules.js";
export { type ConformanceOptions, runConformance } from "./conformance/runner/run.js";
export { runVector } from "./conformance/runner/run-vector.js";
export {
  conformanceSuite,
  type SuiteOptions,
  type TestFramework,
} from "./conformance/runner/suite.js";
export {
  type Capability,
  ConformanceUsageError,
  type DatabaseFixture,
  type EngineTarget,
  type Fixture,
  type ServiceTarget,
  type Target,
  type TargetSettings,
} from "./conformance/target/target.js";
export type { Mismatch } from "./conformance/vectors/expectation.js";
export { loadVectors } from "./conformance/vectors/load.js";
export type { Expectation, Vector, VectorFile, VectorStep } from "./conformance/vectors/vector.js";
