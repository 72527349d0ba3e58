import { Validator } from "@cfworker/json-schema";

/**
 * The JSON schemas of OpenFeature's manifest API, version 0.1.0, written from its published
 * description: https://github.com/open-feature/cli/blob/main/api/v0/sync.yaml
 */

const text = { type: "string" };

const manifest = {
  type: "object",
  required: ["flags"],
  properties: {
    flags: {
      type: "array",
      items: {
        type: "object",
        required: ["key", "type", "defaultValue"],
        properties: {
          key: text,
          name: text,
          type: { enum: ["boolean", "string", "integer", "object"] },
          description: { type: ["string", "null"] },
          defaultValue: {
            oneOf: ["boolean", "string", "integer", "object"].map((type) => ({ type })),
          },
        },
      },
    },
  },
};

const error = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["message", "status"],
      properties: {
        message: text,
        status: { type: "integer" },
        details: {
          type: "array",
          items: { type: "object", properties: { field: text, code: text, message: text } },
        },
      },
    },
  },
};

/**
 * The schema of one flag in the manifest file of the OpenFeature CLI, in which `openfeature pull`
 * stores the response: https://github.com/open-feature/cli/blob/main/schema/v0/flag-manifest.json
 */
const flagInFile = {
  required: ["flagType", "defaultValue"],
  oneOf: Object.entries({
    boolean: { type: "boolean" },
    string: text,
    integer: { type: "integer" },
    float: { type: "number" },
    object: {},
  }).map(([flagType, defaultValue]) => ({
    properties: { flagType: { enum: [flagType] }, defaultValue, description: text },
  })),
};

const faultsBy = (schema: object) => {
  const validator = new Validator(schema, "7", false);
  return (value: unknown): string[] =>
    validator.validate(value).errors.map((e) => `${e.instanceLocation} ${e.error}`);
};

/** Return what is wrong with a manifest, with an error body, and with a flag in the CLI's file. */
export const manifestFaults = faultsBy(manifest);
export const manifestErrorFaults = faultsBy(error);
export const fileFaults = faultsBy(flagInFile);
