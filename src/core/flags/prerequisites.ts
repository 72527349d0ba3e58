/** A condition on the verdict of another flag of the project, in the same environment. */
export interface FlagPrerequisite {
  readonly flagKey: string;
  /** What `enabled` of the other flag's verdict must be. */
  readonly enabled: boolean;
  /** The variants, one of which the other flag must serve. Absent: any. */
  readonly variants?: readonly string[] | undefined;
}
