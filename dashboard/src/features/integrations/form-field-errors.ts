import { ApiError } from "../../shared/api/api-error.ts";

/**
 * Awaits the API call that saves an integration. If the call throws field errors such as
 * `configJson.url`, rethrows them with the names of the form's fields.
 */
export async function toFormFieldErrors<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const details = error.details.map((fieldError) => ({
      ...fieldError,
      ...toFormField(fieldError),
    }));
    throw error.copyWith({ details });
  }
}

function toFormField({ field, message }: { field: string; message: string }) {
  if (field === "eventSubscriptionsJson") return { field: "events" };
  const [config, part, ...names] = field.split(".");
  if (config !== "configJson") return {};
  if (part !== "headers") return { field: "url" };
  const name = names.join(".");
  return { field: "headers", message: name === "" ? message : `${name}: ${message}` };
}
