import { OFREPWebProvider } from "@openfeature/ofrep-web-provider";
import { OpenFeature, OpenFeatureProvider } from "@openfeature/react-sdk";
import { useEffect, useState } from "react";
import { hydrateRoot } from "react-dom/client";
import { App } from "./App.tsx";
import { BOOTSTRAP, type Bootstrap, setValues } from "./bootstrap.ts";

/** What the server has put into the page. */
interface Page extends Bootstrap {
  readonly url: string;
  /** An API key of the type FRONTEND, which may be public. */
  readonly key: string;
}

const page = JSON.parse(document.getElementById("page")?.textContent ?? "") as Page;
setValues(page);

/** Begins with the values of the server. Goes on with those of the service, once they are there. */
function Root() {
  const [domain, setDomain] = useState(BOOTSTRAP);
  useEffect(() => {
    const provider = new OFREPWebProvider({
      baseUrl: `${page.url}/api`,
      headers: [["Authorization", `Bearer ${page.key}`]],
      cacheMode: "disabled",
    });
    OpenFeature.setProviderAndWait("live", provider, page.user).then(
      () => setDomain("live"),
      // The values of the server stay.
      (error: unknown) => console.warn(error),
    );
  }, []);
  return (
    <OpenFeatureProvider domain={domain}>
      <App />
    </OpenFeatureProvider>
  );
}

const root = document.getElementById("root");
if (root) hydrateRoot(root, <Root />);
