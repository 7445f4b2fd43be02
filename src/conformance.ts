export {
  ALL_PROFILES,
  type CaseOptions,
  type GeneratedBranch,
  type QueryCase,
  queryCaseArbitrary,
  type WalkCase,
  walkCaseArbitrary,
} from "./conformance/arbitraries/cases.js";
export {
  evaluateQuery,
  type OraclePage,
  type OracleRequest,
  type PageToken,
} from "./conformance/oracle/evaluate.js";
export { type Deviation, parseDeviations } from "./conformance/report/deviations.js";
export {
  type CheckResult,
  type ConformanceReport,
  type Counterexample,
  type Divergence,
  exitCode,
  type RuleResult,
  type UnexpectedPass,
} from "./conformance/report/report.js";
export { formatHtml } from "./conformance/report/report-html.js";
export { formatJUnit } from "./conformance/report/report-junit.js";
export { formatText } from "./conformance/report/report-text.js";
export { RULES, type Rule, type RuleId, type Tier } from "./conformance/runner/rules.js";
export { runVector } from "./conformance/runner/run-one.js";
export { type ConformanceOptions, runConformance } from "./conformance/runner/runner.js";
export {
  conformanceSuite,
  type SuiteOptions,
  type TestFramework,
} from "./conformance/runner/suite.js";
export {
  type Capability,
  ConformanceUsageError,
  type EngineTarget,
  type Fixture,
  type Seeding,
  type ServiceTarget,
  type Target,
  type TargetSettings,
} from "./conformance/target/target.js";
export type { Fault } from "./conformance/vectors/expectation.js";
export { loadVectors } from "./conformance/vectors/load-vectors.js";
export type { Expectation, Vector, VectorFile, VectorStep } from "./conformance/vectors/vector.js";
