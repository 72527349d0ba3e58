import { readFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { configured, DIRECT, type Runtime, start } from "../../scripts/service/runtime.ts";
import type { Answer } from "../../scripts/service/scenarios.ts";

/** Returns the JavaScript of a file in `workers`. */
export const workerSource = async (name: string): Promise<string> =>
  stripTypeScriptTypes(await readFile(join(import.meta.dirname, "workers", name), "utf8"));

/** Starts one bare Worker per response. */
export async function startBare(root: string, answers: readonly Answer[]): Promise<Runtime> {
  const contents = await workerSource("bare.ts");
  const { compatibilityDate } = configured(root);
  return start(
    answers.map(({ status, headers, body, readsBody }, index) => ({
      ...DIRECT,
      name: `bare-${index}`,
      ...(typeof compatibilityDate === "string" && { compatibilityDate }),
      modules: [{ type: "ESModule" as const, path: "bare.js", contents }],
      bindings: { STATUS: status, HEADERS: headers, READS_BODY: readsBody },
      dataBlobBindings: { BODY: body },
    })),
  );
}
