/** Longer names end with a number made of the path. */
const LONGEST_NAME = 200;

/** Name of the folder of a project's files, the one that Claude Code gives it. Similar paths have the same name. */
export function projectFolderName(project: string): string {
  const name = project.replaceAll(/[^0-9A-Za-z]/g, '-');
  if (name.length <= LONGEST_NAME) return name;
  return `${name.slice(0, LONGEST_NAME)}-${numberOf(project)}`;
}

function numberOf(text: string): string {
  let number = 0;
  for (let index = 0; index < text.length; index += 1)
    number = ((number << 5) - number + text.charCodeAt(index)) | 0;
  return Math.abs(number).toString(36);
}
