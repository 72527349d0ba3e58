/**
 * The version of the mapping. It grows with each change that makes another document of the same rules.
 * It is a file of its own, so that a response with 304 does not load the mapping.
 */
export const MAPPING_VERSION = 3;
