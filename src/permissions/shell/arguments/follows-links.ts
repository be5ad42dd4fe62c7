/**
 * Whether the options make a program go down into folders and follow the links in them.
 *
 * @param words the words behind the program's name.
 */
export function followsLinks(name: string, words: readonly string[]): boolean {
  const options = words.filter((word) => word.startsWith('-')); // also behind `--`, which may be the value of an option
  const has = (short: RegExp, long: RegExp): boolean =>
    options.some((word) => (word.startsWith('--') ? long : short).test(word));
  switch (name) {
    case 'grep':
      return has(/^-[^ABCDdefm]*R/, /^--der/);
    case 'diff':
      return has(/^-[^CDFILSUWXx]*r/, /^--r/);
    case 'du':
      return has(/^-[^BXdt]*L/, /^--der/);
    case 'ls':
      return has(/^-[^ITw]*R/, /^--rec/) && has(/^-[^ITw]*L/, /^--der/);
    case 'find':
      return options.some((word) => word === '-L' || word === '-follow');
    default:
      return false;
  }
}
