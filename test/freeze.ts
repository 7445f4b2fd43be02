import { freezeCatalogs } from "../src/catalog/draft.js";

// Whatever changes a catalog but a recipe throws.
freezeCatalogs(true);
