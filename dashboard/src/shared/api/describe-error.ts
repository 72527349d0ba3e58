import { formatsOf } from "../i18n/formats.ts";
import type { Translate } from "../i18n/translate.ts";
import { ApiError } from "./api-error.ts";

interface Description {
  message: string;
  /** The trace id of the failed request. The user can send it to the operator of the service. */
  traceId?: string | undefined;
}

/**
 * Returns the message that the dashboard displays for a thrown error, and the trace id of a server
 * error (5xx). The message is translated. For a client error (4xx) with an error code that the
 * dashboard does not know, the message is the English message of the API.
 */
export function describeError(t: Translate, language: string, error: unknown): Description {
  if (!(error instanceof ApiError)) return { message: t("errors.unknown") };
  const message = messageOf(t, language, error);
  // The user can correct a client error without the operator, for example a wrong password.
  return error.status >= 500 ? { message, traceId: error.traceId } : { message };
}

function messageOf(t: Translate, language: string, error: ApiError): string {
  const { status, retryAfter, approval } = error;
  // Check the status 429 and not the error code, because a proxy in front of the service may also
  // limit rates, and the response of a proxy has no error code.
  if (status === 429) {
    const when =
      retryAfter === undefined ? t("errors.later") : formatsOf(language).inSeconds(retryAfter);
    return t("errors.tooMany", { when });
  }
  if (status === 412) return t("errors.conflict");
  if (error.code === "REWORDED") return serverMessage(error);
  if (status >= 500 && error.problem === "provider") return t("errors.provider");
  switch (error.code) {
    case "UNREACHABLE":
      return t("errors.unreachable");
    case "UNREADABLE":
      return status >= 500 ? t("errors.server") : t("errors.unreadable");
    case "UNAUTHORIZED":
    case "TOKEN_REUSE":
      return t("errors.signedOut");
    case "INVALID_CREDENTIALS":
      return t("errors.credentials");
    case "INVALID_FIELDS":
      return t("errors.fields");
    case "APPROVAL_REQUIRED": {
      const names = approval?.environments.map(({ name }) => name) ?? [];
      return t("errors.approvalRequired", { environments: formatsOf(language).list(names) });
    }
    case "OUTDATED":
      return t("errors.outdated");
    case "FORBIDDEN":
      return t("errors.forbidden");
    case "NOT_FOUND":
      return t("errors.notFound");
    default:
      return status >= 500 ? t("errors.server") : serverMessage(error);
  }
}

/** Returns the message of the error response, followed by all field errors, one per line. */
const serverMessage = ({ message, details }: ApiError): string =>
  [message, ...details.map(({ field, message: text }) => `${field}: ${text}`)].join("\n");
