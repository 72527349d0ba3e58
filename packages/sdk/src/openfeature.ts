import {
  ErrorCode,
  type EvaluationContext,
  type JsonValue,
  OpenFeatureEventEmitter,
  type Provider,
  ProviderEvents,
  ProviderFatalError,
  type ResolutionDetails,
} from "@openfeature/server-sdk";
import {
  type ClientOptions,
  createClient,
  type Details,
  type EvaluationContext as FlagContext,
  type FlagClient,
  FlagClientError,
  type ValueType,
} from "./index.ts";

/**
 * A provider of OpenFeature that evaluates flags in the process. It takes the options of a client,
 * or a client. When OpenFeature closes the provider, it closes the client.
 */
export class FeatureFlagsProvider implements Provider {
  readonly metadata = { name: "feature-flags" } as const;
  readonly runsOn = "server";
  readonly events: OpenFeatureEventEmitter = new OpenFeatureEventEmitter();
  readonly client: FlagClient;
  /** Whether `initialize` runs. OpenFeature then reports the result itself. */
  #isInitialising = false;

  /** Throws: a TypeError for a client of another kind, such as one with a service binding. */
  constructor(given: ClientOptions | FlagClient<any>) {
    this.client = isClient(given) ? given : createClient(given);
    const { events } = this;
    this.client.on("ready", () => {
      if (!this.#isInitialising) events.emit(ProviderEvents.Ready);
    });
    this.client.on("stale", () =>
      events.emit(ProviderEvents.Stale, { message: "The service has not confirmed the rules" }),
    );
    this.client.on("error", (error) => {
      // Emits nothing for other errors, because the provider works without what they name. For old
      // rules, the provider emits the event `stale`.
      if (!error.isFatal || this.#isInitialising) return;
      // Chooses the code of the error event. OpenFeature stops calling a provider whose status is
      // FATAL. A client that has rules still evaluates flags, so its status is ERROR.
      const hasRules = this.client.status.revision !== undefined;
      const errorCode = hasRules ? ErrorCode.GENERAL : ErrorCode.PROVIDER_FATAL;
      events.emit(ProviderEvents.Error, { message: error.message, errorCode });
    });
    this.client.on("change", ({ flags }) =>
      events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged: [...flags] }),
    );
  }

  /** Waits for the rules. Rejects with `PROVIDER_FATAL` when the service refuses the key. */
  async initialize(): Promise<void> {
    this.#isInitialising = true;
    try {
      await this.client.ready();
    } catch (error) {
      if (error instanceof FlagClientError && error.isFatal)
        throw new ProviderFatalError(error.message, { cause: error });
      throw error;
    } finally {
      this.#isInitialising = false;
    }
  }

  async onClose(): Promise<void> {
    await this.client.close();
  }

  resolveBooleanEvaluation(key: string, fallback: boolean, context: EvaluationContext) {
    return this.#resolve(key, fallback, context, "boolean");
  }

  resolveStringEvaluation(key: string, fallback: string, context: EvaluationContext) {
    return this.#resolve(key, fallback, context, "string");
  }

  resolveNumberEvaluation(key: string, fallback: number, context: EvaluationContext) {
    return this.#resolve(key, fallback, context, "number");
  }

  resolveObjectEvaluation<T extends JsonValue>(
    key: string,
    fallback: T,
    context: EvaluationContext,
  ): Promise<ResolutionDetails<T>> {
    return this.#resolve(key, fallback, context, "json");
  }

  #resolve<T>(
    key: string,
    fallback: T,
    context: EvaluationContext,
    type: ValueType,
  ): Promise<ResolutionDetails<T>> {
    const facts = withTexts(context) as FlagContext;
    const details = this.client.details<T>(key, fallback, facts, type) as Details<T>;
    return Promise.resolve(resolutionOf(details));
  }
}

/** Whether a value is a client. A program without types may pass anything. */
function isClient(given: ClientOptions | FlagClient<any>): given is FlagClient<any> {
  const value: unknown = given;
  if (typeof value !== "object" || value === null || !("details" in value)) return false;
  if ("on" in value) return true;
  throw new TypeError(
    "FeatureFlagsProvider takes the options of a client, or a client of createClient or createOfflineClient",
  );
}

/** The error codes of OpenFeature. */
const ERROR_CODES = {
  NOT_READY: ErrorCode.PROVIDER_NOT_READY,
  FLAG_NOT_FOUND: ErrorCode.FLAG_NOT_FOUND,
  TYPE_MISMATCH: ErrorCode.TYPE_MISMATCH,
  TARGETING_KEY_MISSING: ErrorCode.TARGETING_KEY_MISSING,
} as const;

/**
 * Returns a result in the form of OpenFeature, with the reasons that OFREP has
 * (docs/use/openfeature.md): `DEFAULT` is the reason of an off variant that is served because no
 * rule decided.
 */
function resolutionOf<T>(details: Details<T>): ResolutionDetails<T> {
  const { value, reason, variant, rule, errorCode, errorMessage } = details;
  if (errorCode !== undefined)
    return { value, reason, errorCode: ERROR_CODES[errorCode], errorMessage: errorMessage ?? "" };
  const isDefault = reason === "CONSTRAINT_MISMATCH" || reason === "PREREQUISITE_FAILED";
  return {
    value,
    reason: isDefault ? "DEFAULT" : reason,
    ...(variant !== undefined && { variant }),
    flagMetadata: {
      ...(isDefault && { detail: reason }),
      ...(rule !== undefined && { rule }),
    },
  };
}

/** Returns a context with its dates as texts of ISO 8601, as OFREP sends them. */
function withTexts(context: EvaluationContext): EvaluationContext {
  const dates = Object.entries(context).filter(([, value]) => value instanceof Date);
  if (dates.length === 0) return context;
  const texts = dates.map(([key, value]) => [key, (value as Date).toJSON()] as const);
  return { ...context, ...Object.fromEntries(texts) };
}
