export type { Fixture, FixtureFormat } from "./fixtures/fixture.js";
export {
  inferColumns,
  type LoadedFixture,
  type LoadOptions,
  loadFixture,
} from "./fixtures/load.js";
