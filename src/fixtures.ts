export type { RenamedColumn } from "./fixtures/column-names.js";
export type { Fixture, FixtureFormat } from "./fixtures/fixture.js";
export {
  inferColumns,
  type LoadedFixture,
  type LoadOptions,
  loadFixture,
} from "./fixtures/load.js";
export type { WidenedColumn } from "./fixtures/outliers.js";
