/**
 * Whether a program was asked to go down into folders and to follow the links that it meets there.
 *
 * @param words those behind its name.
 */
export function followsLinks(name: string, words: readonly string[]): boolean {
  const options = words.filter((word) => word.startsWith('-')); // also behind `--`, which may be the value of one
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
