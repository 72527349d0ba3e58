import { EventEmitter } from "node:events";
import { Unleash, type UnleashConfig } from "unleash-client";

interface Document {
  readonly features: readonly { readonly name: string }[];
  readonly segments?: readonly { readonly id: number }[] | undefined;
}

/** The SDK of Unleash for Node with the features of a document. It sends nothing. */
export function unleashWith({ features, segments = [] }: Document): Unleash {
  const byName = new Map(features.map((feature) => [feature.name, feature]));
  const repository = Object.assign(new EventEmitter(), {
    getToggle: (name: string) => byName.get(name),
    getToggles: () => features,
    getTogglesWithSegmentData: () => [],
    getSegment: (id: number) => segments.find((one) => one.id === id),
    start: async () => {},
    stop: () => {},
  });
  const unleash = new Unleash({
    appName: "shop",
    url: "https://unleash.example.com/api",
    disableAutoStart: true,
    disableMetrics: true,
    skipInstanceCountWarning: true,
    repository: repository as unknown as NonNullable<UnleashConfig["repository"]>,
  });
  // Until the repository is ready, the SDK returns the fallback.
  repository.emit("ready");
  return unleash;
}
