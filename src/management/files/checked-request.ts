import { checkSteps } from "@feature-flags/file/check";
import { invalid, type FieldError } from "../../core/errors/api-error.ts";
import { inTurns } from "../../core/lib/turns.ts";
import type { Quotas } from "../../db/quota.ts";
import type { FileRequest } from "../../workflows/files/differences.ts";
import { withinLimits } from "./limits.ts";

/** Returns a request whose file is well formed. Throws: 400 with JSON Pointers. */
export async function checkedRequest(
  request: Omit<FileRequest, "file"> & { readonly file: unknown },
  quotas: Quotas,
): Promise<FileRequest> {
  const isLimited = request.environments !== undefined;
  if (request.prune && (isLimited || request.manage === false))
    throw invalid([
      {
        field: "prune",
        message: isLimited
          ? "must be false with environments, because an archived flag is off everywhere"
          : "must be false without manage, because only flags that the file manages are archived",
      },
    ]);
  const result = await inTurns(checkSteps(request.file));
  if ("faults" in result)
    throw invalid(result.faults.map(({ path, message }): FieldError => ({ field: path, message })));
  return { ...request, file: await withinLimits(result.file, quotas) };
}
