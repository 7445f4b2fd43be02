export {
  ALL_PROFILES,
  type CaseOptions,
  type GeneratedBranch,
  type QueryCase,
  queryCaseArbitrary,
  type WalkCase,
  walkCaseArbitrary,
} from "./conformance/arbitraries.js";
export { type Deviation, parseDeviations } from "./conformance/deviations.js";
export type { Fault } from "./conformance/expectation.js";
export { loadVectors } from "./conformance/load-vectors.js";
export {
  evaluateQuery,
  type OraclePage,
  type OracleRequest,
  type PageToken,
} from "./conformance/oracle.js";
export {
  type CheckResult,
  type ConformanceReport,
  type Counterexample,
  type Divergence,
  exitCode,
  type RuleResult,
  type UnexpectedPass,
} from "./conformance/report.js";
export { formatHtml } from "./conformance/report-html.js";
export { formatJUnit } from "./conformance/report-junit.js";
export { formatText } from "./conformance/report-text.js";
export { RULES, type Rule, type RuleId, type Tier } from "./conformance/rules.js";
export { runVector } from "./conformance/run-one.js";
export { type ConformanceOptions, runConformance } from "./conformance/runner.js";
export {
  conformanceSuite,
  type SuiteOptions,
  type TestFramework,
} from "./conformance/suite.js";
export {
  type Capability,
  ConformanceUsageError,
  type EngineTarget,
  type Fixture,
  type Seeding,
  type ServiceTarget,
  type Target,
  type TargetSettings,
} from "./conformance/target.js";
export type { Expectation, Vector, VectorFile, VectorStep } from "./conformance/vector.js";
