import { writeFileSync } from "node:fs";
import process from "node:process";
import { convert } from "@feature-flags/convert/convert";
import { DocumentFault, type Documents, documentsOf } from "@feature-flags/convert/documents";
import type { FlagsFile } from "@feature-flags/file/file";
import { type FlagReport, reasonText } from "@feature-flags/convert/report";
import { isService } from "@feature-flags/convert/services";
import { counted } from "../counted.ts";
import { EXIT, Failure } from "../failure.ts";
import { readRepository } from "../files.ts";
import { readDocument } from "../file/load.ts";
import { yamlOf } from "../file/yaml-text.ts";
import { table } from "../table.ts";
import type { Terminal } from "../terminal.ts";

interface Options {
  readonly env: readonly string[];
  readonly project?: string;
  readonly output?: string;
  readonly report?: string;
}

/**
 * Turns files of another service into a file with the flags of a project. Exits with 2 if a flag is not
 * the same as before.
 */
export async function run(
  terminal: Terminal,
  { env, project = projectName(), output, report: reportFile }: Options,
  service: string,
  ...files: readonly string[]
): Promise<number> {
  const { file, report } = converted(service, files, (documents) =>
    documents.toSource(project, environmentsOf(env, documents)),
  );
  const flags = report.map(({ key, result, reasons }) => ({
    key,
    result,
    reasons: reasons.map((reason) => ({ ...reason, message: reasonText(reason) })),
  }));
  if (reportFile !== undefined)
    writeFileSync(reportFile, `${JSON.stringify({ flags }, null, 2)}\n`);
  const yaml = yamlOf(file);
  const text = textOf(report) + clientsText(file);
  if (output === undefined) {
    terminal.result({ file, flags }, yaml.trimEnd());
    terminal.message(text);
  } else {
    writeFileSync(output, yaml);
    terminal.result({ output, flags }, `${text}\nWrote ${output}.`);
  }
  return report.every(({ result }) => result === "exact") ? 0 : EXIT.differences;
}

/** Throws: a Failure for files that are not of this service, or that lack something. */
function converted(
  service: string,
  files: readonly string[],
  toSource: (documents: Documents) => ReturnType<Documents["toSource"]>,
) {
  try {
    const documents = documentsOf(files.map((name) => ({ name, value: readDocument(name) })));
    if (isService(service) && documents.service !== service)
      throw new DocumentFault("otherService", { document: files.join(", "), service });
    return convert(toSource(documents));
  } catch (error) {
    if (error instanceof DocumentFault) throw new Failure("error", error.message);
    throw error;
  }
}

function projectName(): string {
  const name = process.env["FLAGS_PROJECT"] || readRepository().project;
  if (name !== undefined) return name;
  throw new Failure("usage", "No project is set", {
    remedy: "Set --project, FLAGS_PROJECT, or project in .flags.json to the name of the project.",
  });
}

/**
 * Returns the environments in the documents, by the name that each has in the project. A document of
 * Unleash or flagd has one environment, so the first `-e` belongs to the first document.
 */
function environmentsOf(
  names: readonly string[],
  { service, environments }: Documents,
): ReadonlyMap<string, string> {
  const isByPlace = service !== "launchdarkly" && names.every((name) => !name.includes("="));
  if (isByPlace && names.length !== environments.length)
    throw new Failure(
      "usage",
      `-e names ${counted(names.length, "environment")} for ${counted(environments.length, "file")} with flags`,
      { remedy: "Name one environment for each file with flags, in the same order." },
    );
  return new Map(
    names.map((name, n) => {
      const [own = "", theirs = own] = name.split("=");
      return [own, isByPlace ? (environments[n] ?? "") : theirs] as const;
    }),
  );
}

/** Says how many flags do not name the clients that get them, as a further line; or "". */
function clientsText({ flags = {} }: FlagsFile): string {
  const open = Object.values(flags).filter(({ clients }) => clients === undefined).length;
  return open === 0
    ? ""
    : `\n${counted(open, "flag")} without clients: visible to browsers, unless newFlagClients of the project is server.`;
}

function textOf(report: readonly FlagReport[]): string {
  const rows = report.flatMap(({ key, result, reasons }): string[][] => {
    const [first = "", ...others] = reasons.map(reasonText);
    return [[key === "" ? '""' : key, result, first], ...others.map((text) => ["", "", text])];
  });
  return table([["FLAG", "RESULT", "REASON"], ...rows]);
}
