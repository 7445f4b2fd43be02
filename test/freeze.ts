import { freezeCatalogs } from "../src/catalog/events.js";

// Changing a catalog other than by events throws.
freezeCatalogs(true);
