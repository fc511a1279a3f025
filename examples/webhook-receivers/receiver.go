// Receives webhooks, checks their Standard Webhooks signature and prints what changed.
// Run it with Go 1.19 or newer: CLIENT_SECRET=rc_cs_… go run receiver.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	tolerance    = 5 * time.Minute
	maxBodyBytes = 64 << 20
	keptIds      = 10000
)

// Your application keeps the ids in its database, for 14 days.
var (
	lock     sync.Mutex
	knownIds = map[string]bool{}
	inOrder  []string
)

// Where event_uri is the same address, events come here too. Those have a type.
type told struct {
	Type                    string
	Added, Removed, Updated []json.RawMessage
}

// isSigned works on the bytes as they arrived. Parsed and printed again, they would be other bytes.
func isSigned(secret []byte, header http.Header, body []byte) bool {
	id, timestamp := header.Get("Webhook-Id"), header.Get("Webhook-Timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if id == "" || err != nil || time.Since(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, entry := range strings.Fields(header.Get("Webhook-Signature")) {
		if hmac.Equal([]byte(entry), expected) {
			return true
		}
	}
	return false
}

// take works on the webhook once. It remembers it, and forgets the oldest one when there are too many.
func take(id string, said told) {
	lock.Lock()
	defer lock.Unlock()
	if knownIds[id] {
		return
	}
	if said.Type == "" {
		fmt.Println(id, len(said.Added), len(said.Removed), len(said.Updated))
	}
	// Not before the work: a webhook whose work fails has to come again.
	knownIds[id] = true
	if inOrder = append(inOrder, id); len(inOrder) > keptIds {
		delete(knownIds, inOrder[0])
		inOrder = inOrder[1:]
	}
}

func main() {
	secret := []byte(os.Getenv("CLIENT_SECRET"))
	if len(secret) == 0 {
		log.Fatal("Set CLIENT_SECRET to the secret of your client.")
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "4000"
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBodyBytes))
		if err != nil || !isSigned(secret, r.Header, body) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		var said told
		if err := json.Unmarshal(body, &said); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		take(r.Header.Get("Webhook-Id"), said)
		w.WriteHeader(http.StatusNoContent)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, nil))
}
