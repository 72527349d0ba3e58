import type { z } from "@hono/zod-openapi";
import type {
  BindingAllOptions,
  BindingFailure,
  BindingReport,
  Details,
  FlagResult,
  ReportAnswer,
  RulesAnswer,
  RulesRequest,
  ValueType,
} from "@feature-flags/sdk/binding";
import { evaluateRule, hasVariants, newBatch } from "@feature-flags/evaluation/evaluate";
import type { EvaluationContext, Verdict } from "@feature-flags/evaluation/rule";
import { variantJson } from "@feature-flags/evaluation/verdict";
import { ApiError } from "../core/errors/api-error.ts";
import { requestSchemas } from "./edge/lazy-schemas.ts";
import { visibleRules } from "./edge/compiled-rules.ts";
import { type Edge, type Served, unavailable } from "./edge/edge.ts";
import { rulesSince } from "./features/features.ts";
import type { Instance } from "./usage/instance.ts";
import type { ClientPorts } from "./sources/ports.ts";
import { acceptReport } from "./reports/usage.ts";
import { isNumber } from "./sources/validate.ts";

/** What Workers of the same account call through a service binding, without an API key. */

export interface BindingCall {
  readonly edge: Edge;
  readonly ports: ClientPorts;
  /**
   * The environment in the `props` of the binding; undefined: the arguments of the call name the environment.
   */
  readonly bound: unknown;
}

type ServedCall = BindingCall & { readonly served: Served };

const invalid = (message: string): ApiError => new ApiError("BAD_REQUEST", message);

/** Returns the environment of a call. Throws: 400 when neither the binding nor the call names one. */
function environmentOf(bound: unknown, named: number | undefined): number {
  const environment = bound ?? named;
  if (!isNumber(environment))
    throw invalid(
      "The call must name an environment by its id: set `props = { environment = 12 }` in the " +
        "service binding, or pass `environment`",
    );
  if (bound !== undefined && named !== undefined && named !== bound)
    throw invalid(`The binding is for environment ${String(environment)}, not for ${named}`);
  return environment;
}

/**
 * Throws: 400 for invalid arguments, 404 for an environment that does not exist, 503 when the rules
 * cannot be read.
 */
async function serve(call: BindingCall, named: number | undefined): Promise<ServedCall> {
  const { edge, ports, bound } = call;
  const served = await edge.serveEnvironment(ports, environmentOf(bound, named));
  return { ...call, served };
}

/** Returns a thrown error as the failure in the result of the call. */
function failureOf({ ports }: BindingCall, thrown: unknown): BindingFailure {
  const { status, message } = unavailable(ports, thrown);
  const code = status === 404 ? "NOT_FOUND" : status === 400 ? "INVALID" : "UNAVAILABLE";
  return { kind: "failed", code, message };
}

/** Throws: 400 when the arguments do not have the form of the schema. */
function parsed<T>(schema: z.ZodType<T>, given: unknown): T {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw invalid(`${issue?.path.join(".") ?? ""}: ${issue?.message ?? "is not valid"}`);
}

const instanceOf = (
  { key: { environmentId: id } }: Served,
  given: BindingReport["caller"],
): Instance | undefined =>
  given && {
    environmentId: id,
    appName: given.appName ?? "",
    instanceId: given.instanceId,
    sdkVersion: given.sdkVersion ?? null,
    sdkFeatures: ["rules"],
  };

const encoder = new TextEncoder();
const NO_BYTES = new Uint8Array();

/** Returns the rules that the caller lacks. Never throws. */
export async function readRules(call: BindingCall, request: RulesRequest): Promise<RulesAnswer> {
  try {
    const asked = parsed((await requestSchemas()).rulesRequest, request);
    const { edge, ports, served } = await serve(call, asked.environment);
    const { set, stale } = await edge.atLeast(ports, served, asked.minRevision ?? 0);
    const instance = instanceOf(served, asked.caller);
    const { revision, etag, digest, changedAt } = set.snapshot;
    const seen = { key: served.key, revision, fetchesRules: true };
    if (instance) edge.lastSeen.instance(ports, instance, seen);
    const since = asked.since === undefined ? undefined : Date.parse(asked.since);
    const { kind, body } = rulesSince(set, { held: asked.etag, since }, ports.now());
    const rules = typeof body === "string" ? encoder.encode(body) : (body ?? NO_BYTES);
    const nextSince = new Date(changedAt + 1).toISOString();
    return { kind, rules, revision, etag, digest, nextSince, isStale: stale };
  } catch (error) {
    return failureOf(call, error);
  }
}

/** Accepts a usage report. Never throws. */
export async function report(call: BindingCall, given: BindingReport): Promise<ReportAnswer> {
  const { reports } = call.edge.metrics;
  try {
    const counts = parsed((await requestSchemas()).bindingReport, given);
    const served = await serve(call, counts.environment);
    const instance = instanceOf(served.served, counts.caller);
    acceptReport(served, counts, { instance, appName: instance?.appName });
    return { kind: "accepted" };
  } catch (error) {
    const failure = failureOf(call, error);
    if (failure.code === "INVALID") reports.rejected.add();
    return failure;
  }
}

/** The variant and the value that a verdict serves. */
type ServedValue = Pick<FlagResult, "variant" | "value">;

/** Parses the variant and the value of a verdict, which compiled rules keep as JSON. */
const servedBy = (verdict: Verdict, isVaried: boolean): ServedValue =>
  JSON.parse(`{${variantJson(verdict, isVaried).slice(1)}}`) as ServedValue;

interface Check<T> {
  readonly key: string;
  readonly fallback: T;
  readonly context: EvaluationContext | undefined;
  readonly type: ValueType;
  readonly environment: number | undefined;
}

const MESSAGES = {
  NOT_READY: "The service cannot read the rules at the moment",
  FLAG_NOT_FOUND: "There is no such flag in the environment",
  TYPE_MISMATCH: "The flag has values of another type",
  TARGETING_KEY_MISSING:
    "The context does not have the id by which the flag is rolled out or split",
} as const;

function failed<T>(
  errorCode: keyof typeof MESSAGES,
  value: T,
  revision?: { readonly revision: number },
): Details<T> {
  return { value, reason: "ERROR", errorCode, errorMessage: MESSAGES[errorCode], ...revision };
}

/**
 * Evaluates a flag as the client of the SDK does. Throws: 400, and 404 for an environment that does
 * not exist.
 */
export async function check<T>(call: BindingCall, given: Check<T>): Promise<Details<T>> {
  const { key, fallback, context = {}, type, environment } = given;
  let served: ServedCall;
  try {
    served = await serve(call, environment);
  } catch (error) {
    const { status } = unavailable(call.ports, error);
    if (status !== 503) throw error;
    return failed("NOT_READY", fallback);
  }
  const { revision } = served.served.set.snapshot;
  const known = visibleRules(served).get(key);
  if (known === undefined) return failed("FLAG_NOT_FOUND", fallback, { revision });
  const { rule: compiled } = known;
  const verdict = evaluateRule(compiled, context);
  const { reason, rule } = verdict;
  if (reason === "TARGETING_KEY_MISSING" || reason === "FLAG_NOT_FOUND")
    return failed(reason, fallback, { revision });
  const { variant, value } = servedBy(verdict, hasVariants(compiled));
  const isFit = type === "json" ? known.type === "json" : typeof value === type;
  if (variant !== undefined && !isFit) return failed("TYPE_MISMATCH", fallback, { revision });
  return {
    value: variant === undefined ? fallback : (value as T),
    reason,
    ...(variant !== undefined && { variant }),
    ...(rule !== undefined && { rule }),
    revision,
  };
}

/** Evaluates all flags for one context, or those that browsers get. Throws: 400, 404, and 503 when there are no rules. */
export async function checkAll(
  call: BindingCall,
  context: EvaluationContext,
  { environment, for: audience }: BindingAllOptions,
): Promise<Record<string, FlagResult>> {
  const served = await serve(call, environment);
  const rules = visibleRules(served, audience !== undefined);
  const batch = newBatch();
  const results = Array.from(rules, ([key, { rule: compiled }]): [string, FlagResult] => {
    const verdict = evaluateRule(compiled, context, batch);
    const { enabled, reason, rule } = verdict;
    const value = servedBy(verdict, hasVariants(compiled));
    return [key, { enabled, reason, ...value, ...(rule !== undefined && { rule }) }];
  });
  return Object.fromEntries(results);
}
