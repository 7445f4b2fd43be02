import { TableVersion } from "../storage/table.js";

export class ObservedTable extends TableVersion {
  readonly #onFind: (id: string) => void;

  constructor(table: TableVersion, onFind: (id: string) => void) {
    super(table);
    this.#onFind = onFind;
  }

  override find(id: string): number {
    this.#onFind(id);
    return super.find(id);
  }
}
