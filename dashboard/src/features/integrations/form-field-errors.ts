import { ApiError } from "../../shared/api/api-error.ts";

/** What the service says of `configJson.url`, told at the field where it was typed. */
export async function toFormFieldErrors<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const details = error.details.map((fieldError) => ({ ...fieldError, ...place(fieldError) }));
    throw error.copyWith({ details });
  }
}

function place({ field, message }: { field: string; message: string }) {
  if (field === "eventSubscriptionsJson") return { field: "events" };
  const [config, part, ...names] = field.split(".");
  if (config !== "configJson") return {};
  if (part !== "headers") return { field: "url" };
  const name = names.join(".");
  return { field: "headers", message: name === "" ? message : `${name}: ${message}` };
}
