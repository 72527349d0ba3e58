import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import openapiTS, { astToString } from "openapi-typescript";

// `npm run client` writes the types of the API client. A direct change has a 202 for `propose=true`
// besides its 200. The dashboard does not send that, so the types have only the 200.

interface Description {
  readonly paths: Record<string, Record<string, { readonly responses?: Record<string, object> }>>;
}

const ROOT = path.resolve(import.meta.dirname, "../..");
const description = JSON.parse(
  readFileSync(path.join(ROOT, "openapi.json"), "utf8"),
) as Description;
for (const { responses } of Object.values(description.paths).flatMap(Object.values))
  if (responses?.["200"]) delete responses["202"];
const types = await openapiTS(JSON.stringify(description));
writeFileSync(path.join(ROOT, "dashboard/src/shared/api/schema.d.ts"), astToString(types));
