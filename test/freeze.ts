import { freezeCatalogs } from "../src/catalog/draft.js";

// Changing a catalog outside of a recipe throws.
freezeCatalogs(true);
