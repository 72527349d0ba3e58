import { WorkerEntrypoint } from "cloudflare:workers";
import type {
  BindingAllOptions,
  BindingReport,
  Details,
  DetailsOptions,
  EvaluationContext,
  FlagResult,
  FlagsBinding,
  JsonValue,
  ReportAnswer,
  RulesAnswer,
  RulesRequest,
  ValueType,
} from "@feature-flags/sdk/binding";
import { type BindingCall, check, checkAll, readRules, report } from "../client/binding.ts";
import { newTraceId } from "../http/trace.ts";
import type { Request } from "./background.ts";
import { clientPorts } from "./client-ports.ts";
import { edge } from "./edge.ts";
import { reportMetricsSoon } from "./runtime/metrics-report.ts";
import { observe } from "./observability.ts";
import { assertConfigured } from "./runtime/settings.ts";

/** The `props` of a service binding. */
interface Props {
  /**
   * The id of the environment that the binding may read; undefined: the arguments of each call name
   * the environment.
   */
  readonly environment?: number;
}

/**
 * The entrypoint for other Workers of the account. A caller needs no API key, because the entrypoint has no
 * address and only Workers of the account can bind it. `FlagsBinding` describes the calls.
 */
export class Flags extends WorkerEntrypoint<Env, Props> implements FlagsBinding {
  async boolean(
    key: string,
    fallback: boolean,
    context?: EvaluationContext,
    environment?: number,
  ): Promise<boolean> {
    return (await this.details(key, fallback, context, { type: "boolean", environment })).value;
  }

  async string(
    key: string,
    fallback: string,
    context?: EvaluationContext,
    environment?: number,
  ): Promise<string> {
    return (await this.details(key, fallback, context, { type: "string", environment })).value;
  }

  async number(
    key: string,
    fallback: number,
    context?: EvaluationContext,
    environment?: number,
  ): Promise<number> {
    return (await this.details(key, fallback, context, { type: "number", environment })).value;
  }

  async json<T = JsonValue>(
    key: string,
    fallback: T,
    context?: EvaluationContext,
    environment?: number,
  ): Promise<T> {
    return (await this.details(key, fallback, context, { type: "json", environment })).value;
  }

  details<T>(
    key: string,
    fallback: T,
    context?: EvaluationContext,
    { type = typeOf(fallback), environment }: DetailsOptions = {},
  ): Promise<Details<T>> {
    return this.#call((call) => check(call, { key, fallback, context, type, environment }));
  }

  all(
    context: EvaluationContext = {},
    options: number | BindingAllOptions = {},
  ): Promise<Record<string, FlagResult>> {
    const asked = typeof options === "number" ? { environment: options } : options;
    return this.#call((call) => checkAll(call, context, asked));
  }

  rules(request: RulesRequest = {}): Promise<RulesAnswer> {
    return this.#call((call) => readRules(call, request));
  }

  report(given: BindingReport): Promise<ReportAnswer> {
    return this.#call((call) => report(call, given));
  }

  async #call<T>(work: (call: BindingCall) => Promise<T>): Promise<T> {
    const { env, ctx } = this;
    observe(env);
    assertConfigured(env);
    let origin: Request | undefined;
    const request = () => (origin ??= { ...UNKNOWN, traceId: newTraceId() });
    try {
      const ports = clientPorts(env, ctx, request);
      return await work({ edge, ports, bound: ctx.props.environment });
    } finally {
      reportMetricsSoon(env, ctx);
    }
  }
}

/** The request data of a call through a service binding, which has no address and no headers. */
const UNKNOWN = { ip: undefined, reason: undefined, userAgent: undefined, bypass: false };

/** Returns the flag type whose values have the same JSON type as this value. */
function typeOf(value: unknown): ValueType {
  const type = typeof value;
  return type === "boolean" || type === "string" || type === "number" ? type : "json";
}
