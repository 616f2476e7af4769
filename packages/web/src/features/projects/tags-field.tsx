import type { ComponentProps } from 'react';
import { TextField } from '../../ui/field.tsx';

interface Props extends Omit<ComponentProps<typeof TextField>, 'label' | 'hint' | 'problem'> {
  /** By the name of the field, or the number of a tag. */
  readonly problems: Readonly<Record<string, string>>;
}

export const TagsField = ({ problems, ...rest }: Props) => {
  const problem = problems['tags'] ?? Object.entries(problems).find(([field]) => /^\d+$/.test(field))?.[1];
  return (
    <TextField
      label="Tags"
      autoComplete="off"
      placeholder="web, team-a"
      hint="With commas between them. The list of projects can be filtered by tag."
      problem={problem && (problems['tags'] ? `The list of tags ${problem}` : `A tag ${problem}`)}
      {...rest}
    />
  );
};

export const readTags = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean);
