// Loaded in a hidden frame: tells the page around it what the identity provider answered.
parent.postMessage(location.href, location.origin);
