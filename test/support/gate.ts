/** Something to wait for that the test opens. */
export type Gate<T = void> = {
  readonly opened: Promise<T>;
  open(value: T): void;
};

export function createGate<T = void>(): Gate<T> {
  let open: (value: T) => void = () => {};
  const opened = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
