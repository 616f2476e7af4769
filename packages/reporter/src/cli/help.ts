export const HELP = `Sends test results to Assay.

  assay upload <files…>   send reports of any tool as one run
  assay gate              exit 1 when a run breaks a rule
  assay flush             send what could not be sent before
  assay --version

assay <command> --help says more.
`;

const URL = `  --url <address>         where Assay is (ASSAY_URL)
`;
const SERVICE = `${URL}  --api-key <key>         (ASSAY_API_KEY)
`;

export const UPLOAD_HELP = `assay upload <files or folders…>

Sends reports as one run. A report is recognised by its content: JUnit XML, TestNG, TRX, NUnit, xUnit.net, Robot Framework,
Playwright JSON and blob, Jest, Vitest, Mocha, mochawesome, Cucumber and RSpec JSON, go test -json, TAP, subunit, CTRF,
Allure results. Of a folder every report is sent.

${SERVICE}  --project <name>        (ASSAY_PROJECT)
  --run-key <key>         names the run: sent again under its key, it takes the place of what was (ASSAY_RUN_KEY)
  --shard <1/3>           these files are one part of the run that the key names
  --branch <name>         instead of what CI or git says
  --commit <hash>
  --report <type=path>    a report to keep with the run, such as html=playwright-report; may be given several times
  --label <type=text>     what to call it
  --dry-run               print what would be sent, and send nothing
  --json                  print JSON
  --strict                exit 1 when it was not sent

Exits 0 when it was sent or kept for later, 2 when a file is no report or the command is used wrongly.
`;

export const GATE_HELP = `assay gate

Exits 0 when a run keeps the rules, 1 when it breaks one, 2 when that cannot be told. Without --run and --run-key it is
the run that was last sent from this folder.

${URL}  --run <id or address>   (ASSAY_RUN)
  --run-key <key>         (ASSAY_RUN_KEY), with --project (ASSAY_PROJECT)
  --max-failed <n>        0, unless --max-new-failures is given
  --max-new-failures <n>  tests that did not fail the last time they ran
  --max-flaky <n>         tests that passed only after a retry
  --wait <seconds>        for shards that are missing, or a run that is not finished
  --json                  print JSON
`;

export const FLUSH_HELP = `assay flush

Sends what was kept because Assay was away.

${SERVICE}  --strict                exit 1 when something is left
`;
