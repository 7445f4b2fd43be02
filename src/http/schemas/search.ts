import * as s from "../../json-schema.js";
import { METADATA } from "./records.js";

const HIGHLIGHT: s.Schema = s.named("Highlight", {
  ...s.dictionaryOf({ anyOf: [s.arrayOf(s.TEXT), s.byProfile(() => HIGHLIGHT)] }),
  description: "Highlighted passages by column.",
});

const FOUND_METADATA = s.named(
  "FoundMetadata",
  s.objectOf({ ...METADATA, table: s.TEXT, score: s.NUMBER }, { highlight: HIGHLIGHT }),
);

export const SEARCH_RESULT: s.Schema = s.named(
  "SearchResult",
  s.objectOf({
    records: s.arrayOf(
      s.named(
        "FoundRecord",
        s.byProfile(({ metadataColumn }) =>
          s.openObject({ id: s.TEXT, [metadataColumn]: FOUND_METADATA }),
        ),
      ),
    ),
    totalCount: s.wholeOf(0),
  }),
);
