import { z } from "@hono/zod-openapi";
import { body, json, sdkHeaders } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import type { RouteContract } from "../edge/route-contract.ts";
import { reportRequest } from "../edge/request-schemas.ts";

const reportResponse = z
  .object({
    accepted: z.int().openapi({ description: "The number of entries that will be counted" }),
    ignored: z.int().openapi({ description: "The number of entries of unknown flags" }),
  })
  .openapi("MetricsAccepted", { example: { accepted: 2, ignored: 0 } });

export const reportUsage: RouteContract = {
  summary: "Report how often flags were true and false, and which variants they served",
  description:
    "Send the counts since the last report, by flag key. Entries of archived flags are counted, " +
    "entries of unknown flags are ignored, and so are counts of variants that a flag does not " +
    "have. Accepted counts appear in the metrics of the flags " +
    "within a minute. A report is counted at most once. Counts that got 202 are lost only if the " +
    "service's process ends within the seconds before it has stored them. With a `SERVER` key, `instanceId` makes the SDK one of the project's client " +
    "instances. With a `FRONTEND` key, `appName` counts and `instanceId` is ignored.",
  tags: ["Client"],
  ...sdkHeaders,
  request: { body: body(reportRequest) },
  responses: {
    202: json(
      reportResponse,
      "How many entries will be counted, and how many are ignored",
      "X-Report-Interval",
    ),
    ...errors(400, 401, 403),
  },
};
