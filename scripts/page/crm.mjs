// A small branch to edit: people and companies.
import { createEngine } from "../../dist/index.js";
import { placeOf } from "./open.mjs";

export const CRM = "demo/crm/main";
export const PEOPLE = placeOf(`${CRM}/people`);

export async function serveCrm(serve, profile = "documented") {
  const engine = createEngine({ profile, seed: 1, now: Date.UTC(2030, 0, 1) });
  const id = engine.profile.idColumn;
  const crm = engine.createWorkspace("demo").createDatabase("crm");
  const main = crm.branch("main");
  const companies = main.createTable("companies", [
    { name: "name", type: "string", unique: true },
    { name: "city", type: "string" },
  ]);
  const people = main.createTable("people", [
    { name: "name", type: "string" },
    { name: "email", type: "email" },
    { name: "company", type: "link", link: { table: "companies" } },
    { name: "age", type: "int" },
  ]);
  companies.insert(
    ["Acme", "Contoso", "Fabrikam", "Initech"].map((name, i) => ({ [id]: `c${i}`, name })),
  );
  people.insert(
    Array.from({ length: 40 }, (_, i) => ({
      [id]: `p${String(i).padStart(2, "0")}`,
      name: i === 7 ? "Ada Lovelace" : `Person ${i}`,
      company: `c${i % 4}`,
      age: 20 + i,
    })),
  );
  main.createTable("empty", [{ name: "title", type: "string" }]);
  crm.createBranch("bare", { from: "main" });
  for (const table of ["people", "companies", "empty"]) crm.branch("bare").deleteTable(table);
  return { ...(await serve(engine)), main, people, companies };
}

/** Opens the table of people once it shows its records. */
export async function openPeople({ open, serve }, profile) {
  const served = await serveCrm(serve, profile);
  const page = await open(served.url, PEOPLE);
  await page.getByText("40 records").waitFor();
  return { ...served, page, grid: page.getByRole("grid") };
}
