import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.payfurl.payfurlsdk.api.support.WebhookTools;
import com.payfurl.payfurlsdk.http.client.config.Environment;
import com.payfurl.payfurlsdk.models.ChargeData;
import com.payfurl.payfurlsdk.models.TransactionStatus;
import com.sun.net.httpserver.HttpServer;
import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** All tests share a world, so each has an order of its own. */
class ShopTest {
  private static final BigDecimal AMOUNT = new BigDecimal("20.50");

  /** In LOCAL the library calls https://localhost:5001, and does not check the certificate. */
  private final Shop shop = new Shop(Environment.LOCAL, System.getenv("PLAYMONEY_KEY"), 2_000);

  private Shop.Result pay(String reference, String token) {
    return shop.pay(reference, AMOUNT, token, null);
  }

  private List<TransactionStatus> statuses(String reference) {
    return shop.find(reference).stream().map(ChargeData::getStatus).toList();
  }

  @Test
  void anApprovedCardPaysTheOrder() {
    assertEquals(Shop.Result.PAID, pay("order-paid", "tok_approve"));
    assertEquals(List.of(TransactionStatus.SUCCESS), statuses("order-paid"));
  }

  @Test
  void aDeclinedCardDoesNot() {
    assertEquals(Shop.Result.DECLINED, pay("order-declined", "tok_insufficient_funds"));
    assertEquals(List.of(TransactionStatus.FAILED), statuses("order-declined"));
  }

  @Test
  void anOrderWhoseAnswerWasLostIsChargedOnce() {
    assertEquals(Shop.Result.PAID, pay("order-lost", "tok_approve"));
    assertEquals(Shop.Result.PAID, pay("order-lost", "tok_approve"));
    assertEquals(List.of(TransactionStatus.SUCCESS), statuses("order-lost"));
  }

  @Test
  void aRefundReturnsTheMoney() {
    pay("order-refunded", "tok_approve");
    assertEquals(0, AMOUNT.compareTo(shop.refund("order-refunded", AMOUNT)));
    assertEquals(List.of(TransactionStatus.REFUND), statuses("order-refunded"));
  }

  @Test
  void aWebhookIsSigned() throws Exception {
    BlockingQueue<String> received = new LinkedBlockingQueue<>();
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext("/", exchange -> {
      byte[] body = exchange.getRequestBody().readAllBytes();
      exchange.sendResponseHeaders(204, -1);
      exchange.close();
      received.add(exchange.getRequestHeaders().getFirst("X-Payfurl-Signature"));
      received.add(new String(body, StandardCharsets.UTF_8));
    });
    server.start();
    shop.pay("order-webhook", AMOUNT, "tok_approve", "http://127.0.0.1:" + server.getAddress().getPort());
    String signature = received.poll(5, TimeUnit.SECONDS);
    String body = received.poll(5, TimeUnit.SECONDS);
    server.stop(0);
    assertTrue(WebhookTools.isFromPayFurl(body, signature, "whsec_shop"));
    assertFalse(WebhookTools.isFromPayFurl(body + " ", signature, "whsec_shop"));
    assertTrue(body.contains("\"status\":\"SUCCESS\""), body);
  }
}
