// client: calls a Varlink service by the Go library, for tests: a client that this project did not write.
//
//	client ADDRESS info                          what GetInfo tells
//	client ADDRESS describe INTERFACE            the members of the definition, as the library's parser reads it
//	client ADDRESS call METHOD PARAMETERS FLAGS  each reply on a line; FLAGS: 0, more, oneway
//
// Prints JSON. Exit status 1 and {"error": ...} when the service answers with an error.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/varlink/go/varlink"
	"github.com/varlink/go/varlink/idl"
)

func print(value interface{}) {
	line, err := json.Marshal(value)
	end(err)
	fmt.Println(string(line))
}

func end(err error) {
	if err == nil {
		return
	}
	told := map[string]interface{}{"error": err.Error()}
	if e, ok := err.(*varlink.Error); ok {
		told["parameters"] = e.Parameters
	} else {
		told["parameters"] = err
	}
	line, _ := json.Marshal(told)
	fmt.Println(string(line))
	os.Exit(1)
}

func info(ctx context.Context, connection *varlink.Connection) {
	var vendor, product, version, url string
	var interfaces []string

	end(connection.GetInfo(ctx, &vendor, &product, &version, &url, &interfaces))
	print(map[string]interface{}{"vendor": vendor, "product": product, "version": version, "url": url, "interfaces": interfaces})
}

func describe(ctx context.Context, connection *varlink.Connection, name string) {
	text, err := connection.GetInterfaceDescription(ctx, name)
	end(err)
	definition, err := idl.New(text)
	end(err)
	members := map[string][]string{"name": {definition.Name}}
	for _, method := range definition.Methods {
		members["methods"] = append(members["methods"], method.Name)
	}
	for _, failure := range definition.Errors {
		members["errors"] = append(members["errors"], failure.Name)
	}
	print(members)
}

func call(ctx context.Context, connection *varlink.Connection, method, parameters, how string) {
	flags := map[string]uint64{"0": 0, "more": varlink.More, "oneway": varlink.Oneway}[how]
	receive, err := connection.Send(ctx, method, json.RawMessage(parameters), flags)
	end(err)
	for how != "oneway" {
		var reply json.RawMessage

		continues, err := receive(ctx, &reply)
		end(err)
		print(reply)
		if continues&varlink.Continues == 0 {
			return
		}
	}
}

func main() {
	ctx := context.Background()
	connection, err := varlink.NewConnection(ctx, os.Args[1])
	end(err)
	switch os.Args[2] {
	case "info":
		info(ctx, connection)
	case "describe":
		describe(ctx, connection, os.Args[3])
	case "call":
		call(ctx, connection, os.Args[3], os.Args[4], os.Args[5])
	}
}
