export const HELP = `Sends test results to Assay.

  assay upload <files…>   send the reports of any tool as one run
  assay gate              exit 1 if a run breaks a rule
  assay bisect -- <cmd>   find the commit since which a command fails, even if it is flaky
  assay flush             send runs that could not be sent earlier
  assay import-history    send old reports, or the runs of another dashboard
  assay --version

Run assay <command> --help for details.
`;

const URL = `  --url <address>         address of Assay (ASSAY_URL)
`;
const SERVICE = `${URL}  --api-key <key>         (ASSAY_API_KEY)
`;

export const UPLOAD_HELP = `assay upload <files or folders…>

Sends reports as one run. Assay detects the format of a file by its content: JUnit XML, TestNG, TRX, NUnit, xUnit.net, Robot
Framework, Playwright JSON and blob, Jest, Vitest, Mocha, mochawesome, Cucumber and RSpec JSON, go test -json, TAP, subunit,
CTRF, Allure results. A folder is searched for reports.

${SERVICE}  --project <name>        (ASSAY_PROJECT)
  --run-key <key>         names the run; sending it again with the same key replaces it (ASSAY_RUN_KEY)
  --shard <1/3>           these files are one shard of the run that the key names
  --branch <name>         overrides what CI or git reports
  --commit <hash>
  --report <type=path>    a report to keep with the run, such as html=playwright-report; may be repeated
  --label <type=text>     display name of that report
  --attachments <which>   all, failed (the default: of failed and flaky tests) or off (ASSAY_ATTACHMENTS)
  --dry-run               print what would be sent without sending it
  --json                  print JSON
  --strict                exit 1 if it was not sent or not stored

Exits 0 if the run was sent or kept for later, 1 if a report is damaged (what can be read is sent as an interrupted run), 2 if a
file is not a report or the arguments are invalid.
`;

export const GATE_HELP = `assay gate

Exits 0 if a run meets the rules, 1 if it breaks one, 2 if that is inconclusive. Without --run and --run-key it checks
the last run sent from this folder.

${URL}  --run <id or address>   (ASSAY_RUN)
  --run-key <key>         (ASSAY_RUN_KEY), with --project (ASSAY_PROJECT)
  --max-failed <n>        0, unless --max-new-failures is given
  --max-new-failures <n>  tests that did not fail in their previous run
  --max-flaky <n>         tests that passed only after a retry
  --wait <seconds>        wait for missing shards or an unfinished run
  --json                  print JSON
`;

export const BISECT_HELP = `assay bisect --good <commit> -- <command…>

Finds the commit since which a command fails. Each time it runs the command at the commit that is expected to tell most,
also several times at one commit, so one that fails by chance now and then does not mislead it; that takes about twice as
many runs as git bisect. It prints among how many commits the first bad one is, and ends when one is 98 % certain.

The command runs in the current folder, on a checkout of the commit; the checkout must have no changes, and is put back at
the end and on Ctrl+C. Exit code 0 is good, 125 says that the commit cannot be tested, other codes below 127 are bad.

  --good <commit>         on which the command passes
  --bad <commit>          on which it fails: HEAD without it
  --test <number>         start from what Assay knows of this test, in place of --good and --bad
  --url <address>         address of Assay, for --test (ASSAY_URL)
  --max-runs <n>          of the command: 100 without it
  --first-parent          only the commits of the branch itself, without those that were merged
  --verbose               show what the command prints

Exits 0 if one commit was found, 2 if it cannot tell.
`;

export const FLUSH_HELP = `assay flush

Sends runs that were kept because Assay was unavailable, each to the address that it was meant for.

  --url <address>         send all of them to this one instead
  --api-key <key>         (ASSAY_API_KEY)
  --strict                exit 1 if any run is still waiting or was not stored
`;

export const HISTORY_HELP = `assay import-history <folder or database>

Imports the past: a folder of old reports, an Allure report with its history, or a database file of Piwi. Run it again after it was
stopped: it goes on where it was, and Assay stores each run once.

In a folder, each report is a run, and so is each folder below it that has reports. A run gets the time that its report
tells, or that of the file.

${SERVICE}  --project <name>        (ASSAY_PROJECT); of a database, the only project to import
  --branch <name>         of the runs of a folder
  --dry-run               list the runs without sending them

Exits 0 if all runs were imported, 1 if some were left out or Assay was unavailable, 2 if the arguments are invalid.
`;
