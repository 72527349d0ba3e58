/** The version of this package, as the service shows it in its list of instances. */
export const SDK_VERSION = "feature-flags-js:0.1.0";
