import { TextField } from '../../ui/field.tsx';
import type { ReadRetention, RetentionTexts } from './retention-form.ts';
import styles from './retention.module.css';

interface Props {
  readonly texts: RetentionTexts;
  readonly read: ReadRetention;
  readonly onChange: (texts: RetentionTexts) => void;
}

/** The limits of an installation or a project. */
export const RetentionFields = ({ texts, read, onChange }: Props) => {
  const problems = read.ok ? {} : read.problems;
  const field = (name: keyof RetentionTexts) => ({
    value: texts[name],
    problem: problems[name],
    onChange: (event: { target: { value: string } }) => onChange({ ...texts, [name]: event.target.value }),
  });
  return (
    <div className={styles['fields']}>
      <TextField
        label="Keep runs for (days)"
        inputMode="numeric"
        placeholder="No limit"
        hint="By when a run started."
        {...field('days')}
      />
      <TextField
        label="Keep files for (days)"
        inputMode="numeric"
        placeholder="As long as the run"
        hint="Reports, traces and attachments. The results stay."
        {...field('fileDays')}
      />
      <TextField
        label="Keep the newest (runs)"
        inputMode="numeric"
        placeholder="No limit"
        hint="Older ones are deleted."
        {...field('runs')}
      />
      <TextField
        label="Keep at most (GB)"
        inputMode="decimal"
        placeholder="No limit"
        hint="The oldest runs go first; the newest run stays."
        {...field('gigabytes')}
      />
      <TextField
        label="Branches to keep"
        placeholder="main, release/*"
        hint="Their runs stay, with their files. With commas between; * stands for any text."
        {...field('branches')}
      />
    </div>
  );
};
