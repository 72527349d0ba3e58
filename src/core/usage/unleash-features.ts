/** The feature mark of instances of Unleash SDKs. */
export const UNLEASH = "unleash";

/** The feature mark of an Unleash SDK that chooses the same variants as this service. */
export const VARIANT_SEED = "unleash-variants";
