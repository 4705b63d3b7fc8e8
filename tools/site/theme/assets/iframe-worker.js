// Search runs in a worker, which browsers refuse to a page that was opened from a disk. There a frame does the same.
if (location.protocol === "file:")
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.inside = frame.contentWindow;
      // A document of its own: some browsers put another in the place of the first one.
      this.inside.document.open();
      this.inside.document.write("<body>");
      this.inside.document.close();
      this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = this.inside.document.createElement("script");
      script.src = address;
      this.ready = new Promise((loaded) => script.addEventListener("load", loaded));
      this.inside.document.body.append(script);
    }

    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })));
    }
  };
