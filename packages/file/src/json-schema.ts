import * as z from "zod/mini";
import { SCHEMAS } from "./file.ts";
import { about } from "./parts.ts";

/** Returns the JSON Schema (2020-12) of the file, which editors use. */
export const flagsSchema = () => ({
  ...z.toJSONSchema(SCHEMAS.file, { metadata: about, unrepresentable: "any" }),
  title: "The flags of a project",
});
