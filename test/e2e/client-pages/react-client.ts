import { OFREPWebProvider, type OFREPWebProviderOptions } from "@openfeature/ofrep-web-provider";
import { OpenFeature, OpenFeatureProvider, useBooleanFlagValue } from "@openfeature/react-sdk";
import { createElement } from "react";
import { createRoot } from "react-dom/client";

/** A program for a page in a browser: a React component that shows whether a flag is on. */

let renders = 0;

function Checkout({ flagKey }: { readonly flagKey: string }) {
  const isNew = useBooleanFlagValue(flagKey, false);
  renders++;
  return createElement("h1", null, isNew ? "New checkout" : "Old checkout");
}

const shop = {
  async start(flagKey: string, options: OFREPWebProviderOptions): Promise<void> {
    await OpenFeature.setProviderAndWait(new OFREPWebProvider(options), { targetingKey: "ann" });
    const root = document.getElementById("root");
    if (root)
      createRoot(root).render(
        createElement(OpenFeatureProvider, null, createElement(Checkout, { flagKey })),
      );
  },
  renders: () => renders,
};

Object.assign(globalThis, { shop });
