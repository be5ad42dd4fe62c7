/** The content of a path inside the sandbox. */
export type Mount =
  | { readonly kind: 'writable' | 'readOnly'; readonly path: string }
  /** Another file or folder of the machine. */
  | {
      readonly kind: 'shown' | 'private';
      readonly path: string;
      /** Read-only for `shown`, writable for `private`. */
      readonly source: string;
    }
  /** An empty folder that nobody can write to. */
  | { readonly kind: 'empty'; readonly path: string }
  /** A file that cannot be opened. */
  | { readonly kind: 'unreadable'; readonly path: string };

/** Sort mounts for bubblewrap: a deeper path comes later, since a later mount covers an earlier one. */
function inOrder(mounts: readonly Mount[]): readonly Mount[] {
  const depth = ({ path }: Mount): number => path.split('/').filter(Boolean).length;
  return mounts.toSorted((a, b) => depth(a) - depth(b));
}

/** The arguments for bubblewrap. Empty folders become read-only at the end, after the mounts in them. */
export function toBwrapWords(mounts: readonly Mount[]): readonly string[] {
  const ordered = inOrder(mounts);
  return [
    ...ordered.flatMap(toWords),
    ...ordered.flatMap(({ kind, path }) => (kind === 'empty' ? ['--remount-ro', path] : [])),
  ];
}

function toWords(mount: Mount): readonly string[] {
  const { kind, path } = mount;
  switch (kind) {
    case 'writable':
      return ['--bind', path, path];
    case 'readOnly':
      return ['--ro-bind', path, path];
    case 'private':
      return ['--bind', mount.source, path];
    case 'shown':
      return ['--ro-bind', mount.source, path];
    case 'empty':
      return ['--tmpfs', path];
    case 'unreadable':
      return ['--ro-bind', '/dev/null', path];
    default:
      return kind satisfies never;
  }
}
