import { invalid } from "../../core/errors/api-error.ts";
import type { Quotas } from "../../db/quota.ts";
import type { FileRequest } from "../../workflows/files/differences.ts";
import { checkedFile } from "./limits.ts";

/** Returns a request whose file is well formed. Throws: 400 with JSON Pointers. */
export async function checkedRequest(
  request: Omit<FileRequest, "file"> & { readonly file: unknown },
  quotas: Quotas,
): Promise<FileRequest> {
  const { environments, protectedEnvironments } = request;
  const limit = protectedEnvironments === "skip" ? "protectedEnvironments skip" : "environments";
  const isLimited = environments !== undefined || protectedEnvironments === "skip";
  if (request.prune && (isLimited || request.manage === false))
    throw invalid([
      {
        field: "prune",
        message: isLimited
          ? `must be false with ${limit}, because an archived flag is off everywhere`
          : "must be false without manage, because only flags that the file manages are archived",
      },
    ]);
  return { ...request, file: await checkedFile(request.file, quotas) };
}
