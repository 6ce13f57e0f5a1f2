type TopicServer = Pick<Bun.Server<never>, 'publish'>

type BackpressureListener = (topic: string, bytes: number) => void

/** Publishes texts to the sockets that are subscribed to a topic. There are none until a server is attached. */
export class Broadcaster {
  #server: TopicServer | undefined
  #onBackpressure: BackpressureListener = () => undefined

  /** `onBackpressure` is called for each text that not every subscriber took immediately. */
  attach(server: TopicServer, onBackpressure: BackpressureListener): void {
    this.#server = server
    this.#onBackpressure = onBackpressure
  }

  publish(topic: string, text: string): void {
    const status = this.#server?.publish(topic, text) ?? 0
    // Bun returns -1 for backpressure and 0 when the text was dropped or nobody is subscribed.
    if (status <= 0) this.#onBackpressure(topic, Buffer.byteLength(text))
  }
}
