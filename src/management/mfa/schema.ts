import { z } from "@hono/zod-openapi";
import { timestamp } from "../../http/schema.ts";

const code = z.string().min(1).max(64);

export const codeRequest = z.object({ code });

export const verifyRequest = z.object({ mfaToken: z.string().min(1).max(2048), code });

export const mfaStatusResponse = z
  .object({
    enabled: z.boolean(),
    recoveryCodesLeft: z.int(),
    /** When access to all but the own account ends; null: no need to hurry. */
    mfaEnrollmentDeadline: timestamp.nullable(),
  })
  .openapi("MfaStatus");

export const enrolmentResponse = z
  .object({ secret: z.string(), otpauthUrl: z.string() })
  .openapi("MfaEnrolment");

export const recoveryCodesResponse = z
  .object({ recoveryCodes: z.array(z.string()) })
  .openapi("RecoveryCodes");
