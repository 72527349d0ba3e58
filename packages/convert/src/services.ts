/** The services whose flags can be converted. */
export const SERVICES = ["unleash", "launchdarkly", "flagd"] as const;
export type Service = (typeof SERVICES)[number];

/** Whether a text is one of the services. */
export const isService = (text: string): text is Service =>
  SERVICES.some((service) => service === text);
