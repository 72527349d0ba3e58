import { OFREPWebProvider, type OFREPWebProviderOptions } from "@openfeature/ofrep-web-provider";
import {
  type EvaluationContext,
  type EvaluationDetails,
  type JsonValue,
  OpenFeature,
  ProviderEvents,
} from "@openfeature/web-sdk";

/** A program for a page in a browser: an OpenFeature client that the test calls. */

const changed: string[] = [];
OpenFeature.addHandler(ProviderEvents.ConfigurationChanged, (event) => {
  changed.push(...((event?.["flagsChanged"] as string[] | undefined) ?? []));
});

/** Returns the details of a flag, by the type of the default value. */
function details(key: string, fallback: JsonValue): EvaluationDetails<JsonValue> {
  const client = OpenFeature.getClient();
  if (typeof fallback === "boolean") return client.getBooleanDetails(key, fallback);
  if (typeof fallback === "string") return client.getStringDetails(key, fallback);
  if (typeof fallback === "number") return client.getNumberDetails(key, fallback);
  return client.getObjectDetails(key, fallback);
}

const flags = {
  /** Starts the client. Returns the status of its provider. */
  async start(options: OFREPWebProviderOptions, context: EvaluationContext): Promise<string> {
    const provider = new OFREPWebProvider(options);
    await OpenFeature.setProviderAndWait(provider, context).catch(() => {});
    return OpenFeature.getClient().providerStatus;
  },
  setContext: (context: EvaluationContext) => OpenFeature.setContext(context),
  details,
  /** Returns the keys of the flags that changed, as the events of the provider named them. */
  changed: () => changed,
};

Object.assign(globalThis, { flags });
