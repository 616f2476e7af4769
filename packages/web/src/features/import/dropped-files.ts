import type { NamedFile } from './send-reports.ts';

/** As many as the service takes in one form. */
export const MAX_FILES = 10_000;

export const hasFiles = (transfer: DataTransfer | null): boolean => transfer?.types.includes('Files') ?? false;

/** All files of a drop, with those of its folders. */
export const filesOfDrop = async (transfer: DataTransfer): Promise<NamedFile[]> => {
  // Must be asked for before anything is awaited: the list is empty after the event.
  const dropped = [...transfer.items].filter(({ kind }) => kind === 'file');
  const entries = dropped.map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
  const files: NamedFile[] = [];
  for (const entry of entries) {
    if (entry instanceof File) files.push({ name: entry.name, file: entry });
    else if (entry !== null) await addEntry(entry, files);
  }
  return files;
};

/** Of a field; those of a folder have paths. */
export const filesOfField = (list: FileList | null): NamedFile[] =>
  [...(list ?? [])].map((file) => ({ name: file.webkitRelativePath || file.name, file }));

const addEntry = async (entry: FileSystemEntry, files: NamedFile[]): Promise<void> => {
  if (files.length > MAX_FILES) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    files.push({ name: entry.fullPath.replace(/^\//, ''), file });
  } else for (const inside of await entriesOf(entry as FileSystemDirectoryEntry)) await addEntry(inside, files);
};

/** A reader gives some at a time, and none at the end. */
const entriesOf = async (folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> => {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return entries;
    entries.push(...some);
  }
};
