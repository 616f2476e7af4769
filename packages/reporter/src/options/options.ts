/** What a person writes into a config; everything may come from the environment instead. */
export interface GivenOptions {
  /** Where Assay is, such as `https://assay.example.org`. `ASSAY_URL` */
  serverUrl?: string | undefined;
  /** `ASSAY_PROJECT` */
  projectName?: string | undefined;
  /** `ASSAY_API_KEY` */
  apiKey?: string | undefined;
  /** `ASSAY_USERNAME`, together with `password`, instead of `apiKey`. */
  username?: string | undefined;
  /** `ASSAY_PASSWORD` */
  password?: string | undefined;
  /** Send the HTML, Monocart and blob reports of this run along. `ASSAY_UPLOAD_REPORTS`, true by default */
  uploadReports?: boolean | undefined;
  /** Send traces along. `ASSAY_UPLOAD_TRACES`, true by default */
  uploadTraces?: boolean | undefined;
  /** Send attachments along: all, those of failed and flaky tests, or none. `ASSAY_ATTACHMENTS`, `failed` by default */
  attachments?: 'all' | 'failed' | 'off' | undefined;
  /** How many of one test. `ASSAY_MAX_ATTACHMENTS_PER_TEST`, 50 by default */
  maxAttachmentsPerTest?: number | undefined;
  /** How large one may be. `ASSAY_MAX_ATTACHMENT_MB`, 20 by default */
  maxAttachmentMb?: number | undefined;
  /** How large those of a run may be together. `ASSAY_MAX_ATTACHMENTS_MB_PER_RUN`, 500 by default */
  maxAttachmentsMbPerRun?: number | undefined;
  /** What to call a report, by its type. `ASSAY_LABELS`, such as `html=Shop,blob=Raw` */
  labels?: Readonly<Record<string, string>> | undefined;
  /** Names the run: its shards have one key. By default that of the CI job. `ASSAY_RUN_KEY` */
  runKey?: string | undefined;
  /** What the tests run against, such as `staging`. `ASSAY_ENVIRONMENT`, or that of the CI job */
  environment?: string | undefined;
  /** Anything to be kept with the run. `ASSAY_METADATA`, as JSON */
  metadata?: Readonly<Record<string, unknown>> | undefined;
  /** How long the end of a run may wait for Assay. `ASSAY_TIMEOUT_MS`, 120,000 by default */
  timeoutMs?: number | undefined;
  /** Send results while the tests run. `ASSAY_LIVE`, true by default */
  live?: boolean | undefined;
  /** Tell the commits of the checkout and its CODEOWNERS file. `ASSAY_COMMITS`, true by default */
  commits?: boolean | undefined;
  /** The folder that files are told relative to. By default the repository. `ASSAY_ROOT` */
  rootDir?: string | undefined;
  /** Where runs wait that could not be sent. `ASSAY_SPOOL_DIR` */
  spoolDir?: string | undefined;
  /** How large that may become. `ASSAY_SPOOL_MAX_MB`, 1,024 by default */
  spoolMaxMb?: number | undefined;
}

export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'key'; readonly apiKey: string }
  | { readonly kind: 'login'; readonly username: string; readonly password: string };

export interface Options {
  /** Without a slash at its end; empty where none is needed. */
  readonly serverUrl: string;
  /** Empty where none is needed. */
  readonly projectName: string;
  readonly credentials: Credentials;
  readonly uploadReports: boolean;
  readonly uploadTraces: boolean;
  readonly attachments: {
    readonly wanted: 'all' | 'failed' | 'off';
    readonly perTest: number;
    readonly fileBytes: number;
    readonly runBytes: number;
  };
  readonly labels: Readonly<Record<string, string>>;
  readonly runKey: string | null;
  readonly environment: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
  readonly live: boolean;
  readonly commits: boolean;
  readonly rootDir: string | null;
  readonly spoolDir: string;
  readonly spoolMaxBytes: number;
}
