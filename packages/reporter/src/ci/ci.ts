/** What a CI system says about the run it does. Whatever it does not say is null. */
export interface Ci {
  /** Such as `GitHub Actions`. */
  readonly provider: string;
  readonly job: string | null;
  /** To the job or build. */
  readonly link: string | null;
  /** The same for all shards and all attempts of one build. */
  readonly build: string | null;
  /** From 1. */
  readonly attempt: number;
  readonly branch: string | null;
  readonly commit: string | null;
  readonly defaultBranch: string | null;
  /** Of the branch that a pull request is to go into: what was tested together with it. */
  readonly baseCommit: string | null;
  readonly pullRequest: { readonly number: number | null; readonly link: string | null } | null;
  readonly author: string | null;
  readonly message: string | null;
}
