import { type FlagValue, InMemoryProvider, OpenFeature } from "@openfeature/react-sdk";

/** What the server passes to the page: the user, and the user's values of all flags. */
export interface Bootstrap {
  readonly user: { readonly targetingKey: string };
  readonly values: Readonly<Record<string, FlagValue>>;
}

/** The domain of OpenFeature in which flags have the values of the server. */
export const BOOTSTRAP = "bootstrap";

/** Sets the values of the domain. They can be read at once. */
export function setValues({ values }: Bootstrap): void {
  const flags = Object.entries(values).map(([key, value]) => [
    key,
    { variants: { value }, defaultVariant: "value", disabled: false },
  ]);
  OpenFeature.setProvider(BOOTSTRAP, new InMemoryProvider(Object.fromEntries(flags)));
}
