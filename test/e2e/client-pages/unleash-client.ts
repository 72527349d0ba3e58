import { type IConfig, UnleashClient } from "unleash-proxy-client";

/** A program for a page in a browser: a client of Unleash that the test calls. */

let client: UnleashClient | undefined;

const unleash = {
  start(config: IConfig): Promise<void> {
    client?.stop();
    client = new UnleashClient(config);
    return client.start();
  },
  isEnabled: (key: string) => client?.isEnabled(key),
  getVariant: (key: string) => client?.getVariant(key),
};

Object.assign(globalThis, { unleash });
