/** The greatest number of flags in one request that changes many flags. */
export const MAX_BULK_FLAGS = 200;
