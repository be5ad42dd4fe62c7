/** What a path is inside the sandbox. */
export type Mount =
  | { readonly kind: 'writable' | 'readOnly'; readonly path: string }
  /** Another file or folder of the machine stands there. */
  | {
      readonly kind: 'shown' | 'private';
      readonly path: string;
      /** Read-only as `shown`, writable as `private`. */
      readonly source: string;
    }
  /** An empty folder that nobody can write to. */
  | { readonly kind: 'empty'; readonly path: string }
  /** A file that cannot be opened. */
  | { readonly kind: 'unreadable'; readonly path: string };

/** In the order in which they are laid over each other: what is further down comes later, and so counts. */
function inOrder(mounts: readonly Mount[]): readonly Mount[] {
  const depth = ({ path }: Mount): number => path.split('/').filter(Boolean).length;
  return mounts.toSorted((a, b) => depth(a) - depth(b));
}

/** The words for bubblewrap. Empty folders are closed at the end, when what stands in them has its place. */
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
